import { List } from '@mantine/core'
import type { Endpoint } from '@okaeri/contract/endpoint'
import { continueRestocks, type getRestockOutlook } from '@okaeri/contract/restocks/wave-routes'
import type { RestockScenario } from '@okaeri/contract/restocks/waves'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { ActionButton } from '../../ui/actions.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { ButtonLink, TextLink } from '../../ui/links.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useAction } from '../../ui/use-action.ts'

type Outlook = EndpointReply<typeof getRestockOutlook>['outlook']
type EndpointReply<E> = E extends Endpoint<infer T> ? T['outReply'] : never

/** What keeps people from being notified, or needs an answer. */
export function RestockNotices({ outlook }: { outlook: Outlook }) {
  const t = useWords('restocks')
  const format = useFormat()
  const { mayChange } = useMerchant()
  const goOn = useAction(continueRestocks, { done: { message: t('continued') } })
  const { returns, people } = outlook.asking
  const figures = { total: format.number(returns), count: returns, people: format.number(people) }
  const ask = async (): Promise<void> => {
    const agreed = await confirm({
      title: t('many.confirm.title', figures),
      body: t('many.confirm.text', figures),
      confirmLabel: t('many.action'),
    })
    if (agreed) goOn.mutate({ body: { returns } })
  }
  return (
    <>
      {returns > 0 && (
        <Notice
          tone="warning"
          title={t('many.title', figures)}
          action={
            mayChange && (
              <ActionButton action={{ label: t('many.action'), onClick: () => void ask(), busy: goOn.isPending }} />
            )
          }
        >
          {t('many.text', figures)}
        </Notice>
      )}
      {outlook.scenarios.length === 0 && (
        <Notice
          tone="warning"
          title={t('noScenario.title')}
          action={
            mayChange && (
              <ButtonLink variant="default" to={paths.scenarioCreate('RestockAction')}>
                {t('noScenario.action')}
              </ButtonLink>
            )
          }
        >
          {t('noScenario.text')}
        </Notice>
      )}
      {outlook.scenarios.length > 0 &&
        outlook.unanswered.map((channel) => (
          <Notice key={channel} tone="warning">
            {t(`unanswered.${channel}`)}
          </Notice>
        ))}
      {outlook.test_mode && <Notice>{t('testMode')}</Notice>}
      <SeveralScenarios scenarios={outlook.scenarios} />
    </>
  )
}

/** Spec §9: the alert when several are active, with the one that answers. */
export function SeveralScenarios({ scenarios }: { scenarios: readonly RestockScenario[] }) {
  const t = useWords('restocks')
  const format = useFormat()
  if (scenarios.length < 2) return null
  return (
    <Notice tone="warning" title={t('several.title')}>
      {t('several.text')}
      <List size="sm" mt={4}>
        {scenarios.map(({ id, name, answers }) => (
          <List.Item key={id}>
            <TextLink to={paths.scenario(id)} underline="always">
              {answers.length === 0
                ? t('several.answersNone', { name })
                : t('several.answers', { name, channels: format.list(answers.map((one) => t(`channel.${one}`))) })}
            </TextLink>
          </List.Item>
        ))}
      </List>
    </Notice>
  )
}
