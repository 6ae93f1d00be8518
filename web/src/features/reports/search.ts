import { listSearch } from '../../ui/pages/list-state.ts'

export const ReportSearch = listSearch({ sorts: ['sent_at'] })
