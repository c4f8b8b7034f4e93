// The dashboard: one page, no framework. Reads the same API that programs use.

type Delivery = { id: string; receiver: string; state: "waiting" | "delivered" | "dead"; attempts: number };

const COLORS = { waiting: "amber", delivered: "green", dead: "red" };

/** Draws the list of recent deliveries and refreshes it every five seconds. */
export async function showDeliveries(table: HTMLTableElement, key: string): Promise<void> {
  const answer = await fetch("/v1/deliveries?limit=50", { headers: { Authorization: `Bearer ${key}` } });
  const rows: Delivery[] = (await answer.json()).entries;
  table.replaceChildren(...rows.map((row) => drawRow(row)));
  setTimeout(() => showDeliveries(table, key), 5000);
}

function drawRow(row: Delivery): HTMLTableRowElement {
  const line = document.createElement("tr");
  line.className = COLORS[row.state];
  line.textContent = `${row.receiver} ${row.state} after ${row.attempts} attempts`;
  return line;
}
