import { listSearch } from '../../ui/pages/list-state.ts'

export const EmailSearch = listSearch({
  sorts: ['created_at', 'name', 'sent_count', 'open_rate', 'click_rate', 'revenue'],
})

export const ComponentSearch = listSearch({ sorts: ['created_at', 'updated_at', 'name'] })
