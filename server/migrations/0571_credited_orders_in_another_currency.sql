-- Finds the few credited orders that sums of revenue leave out.
create index conversions_currency on conversions (merchant_id, currency);
