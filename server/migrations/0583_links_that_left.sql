-- When the mail server took the link; null: not yet. Of those asked for before it is not known, and taken as then.
alter table address_confirmations add column mailed_at timestamptz;
update address_confirmations set mailed_at = asked_at;
