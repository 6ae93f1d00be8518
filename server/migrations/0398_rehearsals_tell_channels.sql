-- A rehearsal now says how many messages of each channel would have been sent. What was rehearsed before does not know; a new one takes a minute.
delete from scenario_rehearsals;
