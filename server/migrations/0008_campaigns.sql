create table campaigns (
  merchant_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null check (status in ('draft', 'collecting', 'reserving', 'reserved', 'waiting', 'sending', 'sent',
    'send_failure', 'resolved', 'cancelled', 'deleted')),
  send_type text not null default 'immediate' check (send_type in ('scheduled', 'immediate')),
  scheduled_at timestamptz,
  segment_type text not null default 'own' check (segment_type in ('own', 'remote', 'all')),
  customer_segment_id uuid,
  email_id uuid,
  send_to_all boolean not null default false,
  tracking_enabled boolean not null default true,
  tracking_parameters jsonb not null default '{"source": null, "medium": null, "campaign": null}',
  message_id uuid,
  test_mode boolean not null default false,
  wait_reason text,
  waits_until timestamptz,
  late_accepted boolean not null default false,
  -- The frozen audience.
  customer_count int,
  reserved_at timestamptz,
  -- When the first message was claimed, and when no row was pending or sending any more.
  started_at timestamptz,
  sent_at timestamptz,
  -- Balance at the end, so that lists need not count; null while it is on its way.
  final_balance jsonb,
  created_by uuid,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (merchant_id, id)
);
create index campaigns_by_created on campaigns (merchant_id, created_at desc, id desc) where status <> 'deleted';
create index campaigns_active on campaigns (merchant_id, scheduled_at) where status in ('collecting', 'reserving', 'reserved', 'waiting', 'sending');
