-- How often something was tried: sign-ins, mails asked for, captchas solved. Of the installation, not of a merchant: most of it is
-- counted before anybody is known. The columns are those of rate-limiter-flexible, which writes them in this order. A key is a limit's
-- name and a keyed hash of what is counted; rows go when they have run out.
create table rate_limits (
  key text primary key,
  points int not null,
  expire bigint
);
create index rate_limits_by_end on rate_limits (expire);
