import { Group } from '@mantine/core'
import { getCampaign, listCampaigns } from '@okaeri/contract/campaigns/routes'
import type { CouponStatus } from '@okaeri/contract/coupons/coupon'
import { type Coupon, listDiscounts } from '@okaeri/contract/coupons/routes'
import { getCustomer } from '@okaeri/contract/customers/routes'
import { getScenario, listScenarios } from '@okaeri/contract/scenarios/routes'
import { IconTicket } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/links.tsx'
import { ListPage } from '../../ui/pages/list-page.tsx'
import { useListState } from '../../ui/pages/list-state.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import { CustomerPicker } from '../emails/customer-picker.tsx'
import { useCouponActions, useCouponColumns } from './coupon-columns.tsx'
import { CouponFigures } from './coupon-figures.tsx'
import { CouponTroubles } from './coupon-troubles.tsx'
import { CouponSearch } from './search.ts'

const CHOICES = 20
const tabs: readonly CouponStatus[] = ['made', 'used', 'expired', 'failed']
const seldom = { refetchInterval: false, retry: false } as const

/** Every coupon scenarios and campaigns issued, with what came of it. */
export function CouponList() {
  const t = useWords('coupons')
  const list = useListState(CouponSearch)
  const { status, scenario, campaign, customer } = list.search
  const { limit, offset, q } = list.query
  const query = useQuery({
    ...queryOf(listDiscounts, {
      query: {
        limit,
        offset,
        ...(q && { q }),
        ...(status && { status }),
        ...(scenario && { action_id: scenario }),
        ...(campaign && { campaign_id: campaign }),
        ...(customer && { customer_id: customer }),
      },
    }),
    placeholderData: keepPreviousData,
  })
  const chosenScenario = useQuery({
    ...queryOf(getScenario, { params: { id: scenario ?? '' } }),
    ...seldom,
    enabled: scenario !== undefined,
  })
  const chosenCampaign = useQuery({
    ...queryOf(getCampaign, { params: { id: campaign ?? '' } }),
    ...seldom,
    enabled: campaign !== undefined,
  })
  const chosenCustomer = useQuery({
    ...queryOf(getCustomer, { params: { id: customer ?? '' } }),
    ...seldom,
    enabled: customer !== undefined,
  })
  const one = chosenCustomer.data?.customer
  const columns = useCouponColumns(['code', 'status', 'customer', 'scenario', 'order', 'issued', 'expires'])
  const actionsOf = useCouponActions()
  return (
    <ListPage<Coupon>
      title={t('title')}
      description={t('description')}
      list={list}
      query={query}
      notice={
        <>
          <CouponTroubles troubles={query.data?.troubles ?? []} />
          {query.data && (query.data.total > 0 || list.narrowed) && <CouponFigures totals={query.data.totals} />}
        </>
      }
      searchPlaceholder={t('search')}
      tabs={{
        param: 'status',
        label: t('statusLabel'),
        items: tabs.map((value) => ({ value, label: t(`status.${value}`) })),
      }}
      filters={
        <>
          <SearchSelect
            label={t('scenario')}
            hideLabel
            placeholder={t('allScenarios')}
            clearable
            w={{ base: '100%', xs: 250 }}
            value={scenario ?? null}
            valueLabel={chosenScenario.data?.action.name}
            onChange={(id) => list.set({ scenario: id ?? undefined, campaign: undefined })}
            area={listScenarios.area}
            find={async (words) =>
              (await call(listScenarios, { query: { limit: CHOICES, ...(words && { q: words }) } })).data.map(
                ({ id, name }) => ({ value: id, label: name }),
              )
            }
          />
          <SearchSelect
            label={t('campaign')}
            hideLabel
            placeholder={t('allCampaigns')}
            clearable
            w={{ base: '100%', xs: 250 }}
            value={campaign ?? null}
            valueLabel={chosenCampaign.data?.campaign.name}
            onChange={(id) => list.set({ campaign: id ?? undefined, scenario: undefined })}
            area={listCampaigns.area}
            find={async (words) =>
              (await call(listCampaigns, { query: { limit: CHOICES, ...(words && { q: words }) } })).data.map(
                ({ id, name }) => ({ value: id, label: name }),
              )
            }
          />
          <CustomerPicker
            label={t('person')}
            hideLabel
            placeholder={t('allPeople')}
            w={{ base: '100%', xs: 220 }}
            value={customer ?? null}
            valueLabel={one && (one.name || one.email)}
            onChange={(id) => list.set({ customer: id ?? undefined })}
          />
        </>
      }
      columns={columns}
      rowName={({ code }) => code}
      rowActions={actionsOf}
      empty={{
        icon: IconTicket,
        title: t('empty.title'),
        text: t('empty.text'),
        action: (
          <Group gap="sm" justify="center">
            <ButtonLink to={paths.scenarioNew()}>{t('empty.start')}</ButtonLink>
            <ButtonLink to={paths.campaignNew()} variant="default">
              {t('empty.startCampaign')}
            </ButtonLink>
          </Group>
        ),
      }}
    />
  )
}
