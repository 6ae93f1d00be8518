-- Asked for each claim: without it all friends were read to find the few who get messages of test mode.
create index line_friends_testers on line_friends (merchant_id, line_user_id) where is_tester;
