import { getActionTemplate, getScenario } from '@okaeri/contract/scenarios/routes'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { queryOf } from '../../api/queries.ts'
import { useWords } from '../../app/i18n.ts'
import { paths } from '../../app/paths.ts'
import { EditPageLoading } from '../../ui/pages/edit-page.tsx'
import { Loading } from '../../ui/states.tsx'
import { ScenarioEditSearch } from './search.ts'
import { ScenarioForm } from './settings/scenario-form.tsx'

// The flow editor is larger than all other pages of scenarios together.
const FlowEditorPage = lazy(() => import('./flow-editor/flow-editor-page.tsx'))

/** Spec §2: edit, in form mode or (`?mode=flow`) in the flow editor. */
export function ScenarioEdit() {
  const { mode } = ScenarioEditSearch.parse(useSearch({ strict: false }))
  if (mode !== 'flow') return <InForm />
  return (
    <Suspense fallback={<Loading lines={7} />}>
      <FlowEditorPage />
    </Suspense>
  )
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
  return <ScenarioForm scenario={scenario} template={known} need={template.data?.need ?? null} />
}
