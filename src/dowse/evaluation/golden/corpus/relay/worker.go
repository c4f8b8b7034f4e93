package relay

import "context"

// leaseSeconds is how long a worker may be silent before its delivery is given to another.
const leaseSeconds = 60

// Worker takes due deliveries one after the other until its context ends.
type Worker struct {
	store  Store
	client Caller
}

// Run leases, calls and records. A call in flight is finished when the context is cancelled.
func (w *Worker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		delivery, err := w.store.Lease(ctx, leaseSeconds)
		if err != nil || delivery == nil {
			w.store.WaitForWork(ctx)
			continue
		}
		outcome := w.client.Call(context.WithoutCancel(ctx), delivery)
		if err := w.store.Record(delivery, outcome); err != nil {
			return err
		}
	}
	return nil
}
