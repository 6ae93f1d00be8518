import { Stack, Tabs } from '@mantine/core'
import type { Plan } from '@okaeri/contract/merchants/merchant'
import { planIncludes } from '@okaeri/contract/merchants/plan-features'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useFormat } from '../../app/format.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageFrame } from '../../ui/pages/page-frame.tsx'
import { useOpenTabInView } from '../../ui/pages/page-tabs.tsx'
import { FavoriteSettings } from '../favorites/favorite-settings.tsx'
import { LineSettings } from '../line-accounts/line-settings.tsx'
import { CustomerSettings } from '../metafields/customer-settings.tsx'
import { OwnMailer } from '../own-mailers/own-mailer.tsx'
import { RestockSettings } from '../restocks/restock-settings.tsx'
import { SenderDomains } from '../sender-domains/sender-domains.tsx'
import { WidgetSettings } from '../visitors/widget-settings.tsx'
import { AccountSettings } from './account-settings.tsx'
import { BasicSettings } from './basic-settings.tsx'
import { SettingsSearch, settingsTabs } from './search.ts'
import { Senders } from './senders.tsx'
import { StoreSettings } from './store-settings.tsx'

/** With the trial, when it ends. */
const losesFlowEditor = (plan: Plan): boolean =>
  plan.status === 'trial' && !planIncludes({ ...plan, status: 'active' }, 'flow_editor')

/** The tabs stay mounted, so that what was typed in one survives a look at another. */
export function SettingsPage() {
  const t = useWords('merchants')
  const ui = useWords('ui')
  const format = useFormat()
  const { plan } = useMerchant()
  const { tab = 'basic' } = SettingsSearch.parse(useSearch({ strict: false }))
  const navigate = useNavigate()
  const tabs = useOpenTabInView(tab)
  const trial =
    plan.status === 'trial' && plan.trial_ends_at && t('plan.trial', { date: format.date(plan.trial_ends_at) })
  return (
    <PageFrame
      title={t('title')}
      description={[ui('labelled', { label: t('plan.label'), value: t(`plans.${plan.code}`) }), trial]
        .filter(Boolean)
        .join(' · ')}
      narrow
    >
      {losesFlowEditor(plan) && <Notice>{t('plan.afterTrial')}</Notice>}
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ to: '.', search: value === 'basic' ? {} : { tab: value }, replace: true })}
      >
        <Tabs.List
          ref={tabs}
          aria-label={t('tabs.label')}
          mb="lg"
          style={{ position: 'relative', flexWrap: 'nowrap', overflowX: 'auto', scrollbarWidth: 'none' }}
        >
          {settingsTabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="basic">
          <BasicSettings />
        </Tabs.Panel>
        <Tabs.Panel value="mail">
          <Stack gap="lg">
            <Senders />
            <SenderDomains />
            <OwnMailer />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="customer">
          <CustomerSettings />
        </Tabs.Panel>
        <Tabs.Panel value="store">
          <StoreSettings />
        </Tabs.Panel>
        <Tabs.Panel value="widget">
          <WidgetSettings />
        </Tabs.Panel>
        <Tabs.Panel value="favorite">
          <FavoriteSettings />
        </Tabs.Panel>
        <Tabs.Panel value="line">
          <LineSettings />
        </Tabs.Panel>
        <Tabs.Panel value="restock">
          <RestockSettings />
        </Tabs.Panel>
        <Tabs.Panel value="account">
          <Stack gap="lg">
            <AccountSettings />
          </Stack>
        </Tabs.Panel>
      </Tabs>
    </PageFrame>
  )
}
