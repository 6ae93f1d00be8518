-- A mail that was refused while it was handed over counts up with those that came back later.
alter table bounces drop constraint bounces_way_check;
alter table bounces add constraint bounces_way_check check (way in ('refused', 'smtp', 'imap', 'ses', 'sendgrid'));
alter table bounces drop constraint bounces_matched_by_check;
alter table bounces add constraint bounces_matched_by_check check (matched_by in ('delivery', 'return_path', 'message_id', 'link', 'recipient'));
