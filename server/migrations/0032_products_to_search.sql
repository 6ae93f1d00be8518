-- The title as it is searched: folded (NFKC, lower case, katakana to hiragana).
alter table products add column search_text text not null default '';
