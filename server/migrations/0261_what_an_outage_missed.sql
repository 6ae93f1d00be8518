-- Found only when its day was over: whoever enters a scenario by it asks first.
alter table events add column missed boolean not null default false;
