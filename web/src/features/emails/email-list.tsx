import { Text } from '@mantine/core'
import type { EmailSummary } from '@okaeri/contract/emails/email'
import { listEmails } from '@okaeri/contract/emails/routes'
import { IconMail } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { queryOf } from '../../api/queries.ts'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { TextLink } from '../../ui/links.tsx'
import { type Column, ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { useEmailActions } from './email-actions.ts'
import { useLanguageName } from './email-language.ts'
import { EmailSearch } from './search.ts'

export function EmailList() {
  const t = useWords('emails')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const nameOf = useLanguageName()
  const list = useListState(EmailSearch)
  const query = useQuery({ ...queryOf(listEmails, { query: list.query }), placeholderData: keepPreviousData })
  const { askAndDuplicate, askAndDelete } = useEmailActions()
  const forbidden = !mayChange && t('readOnly')

  const number = (accessor: 'sent_count' | 'open_rate' | 'click_rate', title: string): Column<EmailSummary> => ({
    accessor,
    title,
    sortable: true,
    width: 120,
    textAlign: 'right',
    render: (email) => {
      if (accessor === 'sent_count') return format.number(email.sent_count)
      // A rate of nothing is not 0%.
      return email.sent_count === 0 ? '—' : format.percent(email[accessor])
    },
  })

  return (
    <ListPage<EmailSummary>
      title={t('title')}
      description={t('description')}
      {...(mayChange && { create: { label: t('add'), to: paths.emailNew() } })}
      list={list}
      query={query}
      searchPlaceholder={t('search')}
      columns={[
        {
          accessor: 'name',
          title: t('name'),
          sortable: true,
          cellsStyle: () => ({ minWidth: 200 }),
          render: (email) => (
            <>
              <TextLink to={paths.email(email.id)}>{email.name}</TextLink>
              {email.languages.length > 0 && (
                <Text size="xs" c="dimmed">
                  {format.list([null, ...email.languages].map(nameOf))}
                </Text>
              )}
            </>
          ),
        },
        {
          accessor: 'subject',
          title: t('subject'),
          cellsStyle: () => ({ minWidth: 200 }),
          render: (email) => (
            <Text size="sm" lineClamp={2}>
              {email.subject}
            </Text>
          ),
        },
        number('sent_count', t('sentCount')),
        number('open_rate', t('openRate')),
        number('click_rate', t('clickRate')),
        {
          accessor: 'revenue',
          title: t('revenue'),
          sortable: true,
          width: 116,
          textAlign: 'right',
          render: (email) => format.money(email.revenue),
        },
        {
          accessor: 'created_at',
          title: t('createdAt'),
          sortable: true,
          width: 158,
          render: (email) => format.dateTime(email.created_at),
        },
      ]}
      rowName={(email) => email.name}
      rowTo={(email) => paths.email(email.id)}
      rowActions={(email) => [
        { label: t('details'), to: paths.email(email.id) },
        { label: t('edit'), to: paths.emailEditor(email.id), disabledReason: forbidden },
        { label: t('duplicate'), onClick: () => void askAndDuplicate(email), disabledReason: forbidden },
        { label: t('delete'), danger: true, onClick: () => void askAndDelete(email), disabledReason: forbidden },
      ]}
      empty={{ icon: IconMail, title: t('empty.title'), text: t('empty.text') }}
    />
  )
}
