import { useWords } from '../app/i18n.ts'

/** What a list of choices says while it shows none: a search that failed does not say that there are none (`none`). */
export function useNothingFound({ data, isError }: { data: unknown; isError: boolean }, none?: string): string {
  const t = useWords('ui')
  if (isError) return t('list.loadFailed')
  return data === undefined ? t('loading') : (none ?? t('list.noMatch'))
}
