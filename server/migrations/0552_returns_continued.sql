-- When a person said that a return goes on: from then on the brake does not hold it.
alter table stock_returns add column continued_at timestamptz;
