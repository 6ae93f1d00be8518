-- The host by which links, pixel and pictures of mails from a sender domain lead to us: asked for, and, since it was found to, used.
alter table sender_domains add column link_host text, add column link_host_since timestamptz, add column link_host_verified_at timestamptz;

-- Which merchants' links lead over a host. Written before the tenant is known, so of no merchant; two merchants may have proved the same domain.
create table link_host_directory (
  host text not null,
  merchant_id uuid not null,
  -- Null: asked for and never in a mail. Else it is kept for ever: old mails have it.
  served_since timestamptz,
  primary key (host, merchant_id)
);

-- Of a mail frozen while such a host was verified. Null: the installation's own.
alter table email_contents add column link_host text;
