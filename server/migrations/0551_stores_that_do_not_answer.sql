-- A return of which the store has not said what is in stock, since it was first asked.
alter table stock_returns add column unanswered_since timestamptz;
