-- When a worker was last alive (real time): after a long outage, or in a restored backup, campaigns under way ask before going on.
alter table installation add column last_alive_at timestamptz;
