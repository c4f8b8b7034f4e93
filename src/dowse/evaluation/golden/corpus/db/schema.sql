-- Tables of Ferrywright. Changes go into db/migrations, never into this file alone.

CREATE TABLE tenants (
    tenant_id   bigint PRIMARY KEY,
    name        text NOT NULL UNIQUE,
    event_quota bigint NOT NULL DEFAULT 1000000
);

CREATE TABLE deliveries (
    delivery_id  bigint PRIMARY KEY,
    tenant_id    bigint NOT NULL REFERENCES tenants,
    receiver_id  bigint NOT NULL,
    event_id     bigint NOT NULL,
    attempts     int NOT NULL DEFAULT 0,
    due_at       timestamptz NOT NULL,
    leased_until timestamptz,
    state        text NOT NULL CHECK (state IN ('waiting', 'delivered', 'dead', 'cancelled'))
);

CREATE INDEX deliveries_due ON deliveries (due_at) WHERE state = 'waiting';
ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON deliveries USING (tenant_id = current_setting('ferry.tenant')::bigint);
