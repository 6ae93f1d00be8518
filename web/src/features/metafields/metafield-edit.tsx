import { TextInput } from '@mantine/core'
import { MetafieldName, type MetafieldSetting } from '@okaeri/contract/metafields/metafield'
import { changeMetafieldSetting, getMetafieldSetting } from '@okaeri/contract/metafields/routes'
import type { MetafieldType } from '@okaeri/contract/metafields/value-type'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { z } from 'zod'
import { call } from '../../api/call.ts'
import { queryOf, refresh } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { useMerchant } from '../../app/merchant.tsx'
import { paths } from '../../app/paths.ts'
import { Facts } from '../../ui/pages/detail-page.tsx'
import { useEditForm } from '../../ui/edit/edit-form.ts'
import { EditPage, EditPageLoading, EditSection } from '../../ui/pages/edit-page.tsx'
import { TypeSelect } from './metafield-form.tsx'

const Values = z.object({ name: MetafieldName, value_type: z.custom<MetafieldType>() })

export function MetafieldEdit() {
  const t = useWords('metafields')
  const { id = '' } = useParams({ strict: false })
  const query = useQuery(queryOf(getMetafieldSetting, { params: { id } }))
  const setting = query.data?.customer_metafield_setting
  if (!setting)
    return <EditPageLoading title={t('editTitle')} back={{ to: paths.metafields(), label: t('title') }} query={query} />
  return <Editor setting={setting} />
}

function Editor({ setting }: { setting: MetafieldSetting }) {
  const t = useWords('metafields')
  const { mayChange } = useMerchant()
  const navigate = useNavigate()
  const { id, name, value_type } = setting
  const toSetting = () => void navigate({ to: paths.metafield(id) })
  const form = useEditForm({
    values: useMemo(() => ({ name, value_type }), [name, value_type]),
    schema: Values,
    save: async (values) => {
      await call(changeMetafieldSetting, { params: { id }, body: values })
      await refresh('metafields', 'emails', 'segments')
    },
    onSaved: toSetting,
  })
  return (
    <EditPage
      title={t('editTitle')}
      back={{ to: paths.metafield(id), label: setting.name }}
      form={form}
      labels={{ name: t('name'), value_type: t('valueType') }}
      always
      onCancel={toSetting}
      readOnlyReason={!mayChange && t('viewerMayNot')}
    >
      <EditSection title={t('editDetails')} description={t('keyStays')}>
        <Facts
          items={[
            { label: t('key'), value: setting.key },
            { label: t('namespaceType'), value: t(`namespace.${setting.namespace_type}`) },
          ]}
        />
        <TextInput label={t('name')} required withAsterisk {...form.field('name')} />
        <TypeSelect
          description={t('typeChange')}
          value={form.values.value_type}
          onChange={(type) => form.set('value_type', type)}
        />
      </EditSection>
    </EditPage>
  )
}
