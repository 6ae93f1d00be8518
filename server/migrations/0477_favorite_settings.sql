-- What a merchant set about favorites; without a row all is as usual.
create table favorite_settings (
  merchant_id uuid primary key,
  show_count boolean not null,
  quiet_days int not null,
  low_stock int not null
);
