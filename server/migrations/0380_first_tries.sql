-- When a delivery may have left for the first time, in real time: only of channels on which an unknown outcome is tried again, since their
-- provider forgets the first try after a while.
alter table deliveries add column first_tried_at timestamptz;
