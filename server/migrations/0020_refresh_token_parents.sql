-- Whose successor a refresh token is. Of several successors of one token (two tabs, a lost answer) the first one used wins.
alter table refresh_tokens add column parent_hash bytea;
