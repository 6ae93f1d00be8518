-- Copies that ended as failed for what passes go on, as they would today: nobody has to press "copy again".
with revived as (
  update sync_runs r set status = 'running', error = null, finished_at = null, next_step_at = null
  where r.purpose = 'copy' and r.status = 'failed'
    and r.error ~* '^(unreachable|[245][0-9][0-9]|export file|THROTTLED|INTERNAL_SERVER_ERROR|TIMEOUT|an answer without|no access token|export of [a-z]+: (FAILED|CANCELED|EXPIRED|TIMEOUT|INTERNAL_SERVER_ERROR))'
    and exists (select from store_connections c where c.merchant_id = r.merchant_id and c.status = 'connected')
    and not exists (
      select from sync_runs n
      where n.merchant_id = r.merchant_id
        and (n.status = 'running' or (n.purpose = 'copy' and (n.started_at, n.id) > (r.started_at, r.id))))
  returning r.merchant_id, r.id
)
update sync_steps s set status = 'waiting', bulk_operation_id = null, attempts = 0, finished_at = null
from revived where s.merchant_id = revived.merchant_id and s.sync_run_id = revived.id and s.status <> 'done';
