import { getActionTemplate, getScenario } from '@okaeri/contract/scenarios/routes'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { EditPageLoading } from '../../ui/edit-page.tsx'
import { ScenarioForm } from './scenario-form.tsx'

/** Spec §2: edit, in form mode or (`?mode=flow`) in the flow editor. */
export function ScenarioEdit() {
  return <InForm />
}

function InForm() {
  const t = useWords('scenarios')
  const { id = '' }: { id?: string } = useParams({ strict: false })
  const query = useQuery(queryOf(getScenario, { params: { id } }))
  const scenario = query.data?.action
  const slug = scenario?.mode === 'form' ? (scenario.template ?? '') : ''
  const template = useQuery({
    ...queryOf(getActionTemplate, { params: { slug } }),
    enabled: slug !== '',
    refetchInterval: false,
  })
  const known = template.data?.actiontemplate ?? null
  if (!scenario || (slug !== '' && known === null))
    return (
      <EditPageLoading
        title={t('form.editTitle')}
        back={{ to: paths.scenario(id), label: t('backToScenario') }}
        query={scenario ? template : query}
      />
    )
  return <ScenarioForm scenario={scenario} template={known} flow={scenario.flow} />
}
