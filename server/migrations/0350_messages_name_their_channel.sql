-- A message is sent through the channel it was frozen for. What is there, and what a worker of before still freezes, is mail.
alter table messages add column channel text not null default 'email';
alter table messages add constraint messages_channel_check check (channel in ('email', 'line'));

-- Pauses by channel: two channels may each have a route of the same name. Workers of before go on keeping theirs in mailer_pauses; each
-- finds the provider's limit with one hand-over and then keeps its own.
create table channel_pauses (
  merchant_id uuid not null,
  channel text not null check (channel in ('email', 'line')),
  route text not null,
  until timestamptz not null,
  detail text,
  primary key (merchant_id, channel, route)
);
insert into channel_pauses (merchant_id, channel, route, until, detail)
select merchant_id, 'email', mailer, until, detail from mailer_pauses;
