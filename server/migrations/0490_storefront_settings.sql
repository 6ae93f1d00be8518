-- What a merchant decided about the forms for customers on the storefront. Without a row: as written here.
create table storefront_settings (
  merchant_id uuid primary key,
  -- How often a customer may change a birthday that is known.
  birthday_changes int not null default 1,
  -- What is said beside the checkbox and the sign-up form. Empty: our own words.
  consent_wording_ja text not null default '',
  consent_wording_en text not null default '',
  -- Who signs up on the storefront confirms by a mailed link.
  double_opt_in boolean not null default true,
  -- Product views of customers who gave the marketing permission.
  records_behavior boolean not null default false,
  updated_at timestamptz not null
);
-- How often a customer changed their birthday on the storefront.
create table birthday_entries (
  merchant_id uuid not null,
  customer_id uuid not null,
  changes int not null,
  changed_at timestamptz not null,
  primary key (merchant_id, customer_id)
);
