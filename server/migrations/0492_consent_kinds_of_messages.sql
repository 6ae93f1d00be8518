-- Which permission a message needs: marketing, or notification (favorites and restock).
alter table messages add column consent_kind text not null default 'marketing';
alter table messages add constraint messages_consent_kind_check check (consent_kind in ('marketing', 'notification'));
