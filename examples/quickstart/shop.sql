CREATE TABLE customers (id TEXT PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE orders (
  id TEXT PRIMARY KEY,
  customer_id TEXT NOT NULL REFERENCES customers (id),
  order_status TEXT NOT NULL CHECK (order_status IN ('paid', 'shipped', 'cancelled')),
  total_price TEXT NOT NULL,
  placed_at TEXT NOT NULL
);
CREATE TABLE notes (
  id INTEGER PRIMARY KEY,
  order_id TEXT NOT NULL REFERENCES orders (id),
  text TEXT NOT NULL
);

INSERT INTO customers VALUES
  ('c-1', 'Ada Njoroge', 'Nairobi'),
  ('c-2', 'Bruno Salas', 'Lima'),
  ('c-3', 'Chitra Rao', 'Pune'),
  ('c-4', 'Dora Lindqvist', 'Lima');

INSERT INTO orders VALUES
  ('o-1001', 'c-1', 'paid', '199.00', '2026-03-02T09:15:00Z'),
  ('o-1002', 'c-1', 'shipped', '24.50', '2026-03-09T16:40:00Z'),
  ('o-1003', 'c-2', 'paid', '75.20', '2026-03-11T11:05:00Z'),
  ('o-1004', 'c-3', 'cancelled', '310.00', '2026-03-15T08:30:00Z'),
  ('o-1005', 'c-4', 'paid', '12.99', '2026-04-01T19:00:00Z'),
  ('o-1006', 'c-2', 'shipped', '48.00', '2026-04-03T10:20:00Z'),
  ('o-1007', 'c-3', 'paid', '5.75', '2026-04-20T13:45:00Z'),
  ('o-1008', 'c-4', 'paid', '88.10', '2026-05-02T07:55:00Z');
