-- Which permission a message needs: marketing, or notification (favorites and restock).
alter table messages add column consent_kind text not null default 'marketing' check (consent_kind in ('marketing', 'notification'));
