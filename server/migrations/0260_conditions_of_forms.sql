-- Who may enter a scenario in form mode and what its coupon asks, beside the fields of its template. Null: nothing was set.
alter table scenarios add column conditions jsonb;
