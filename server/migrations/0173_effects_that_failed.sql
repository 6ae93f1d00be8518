-- contract: StepError; why an effect failed for good.
alter table execution_effects add column error text;
