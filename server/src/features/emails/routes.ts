import * as addresses from '@okaeri/contract/emails/address-routes'
import * as components from '@okaeri/contract/emails/component-routes'
import * as endpoints from '@okaeri/contract/emails/routes'
import * as versions from '@okaeri/contract/emails/version-routes'
import type { Routes } from '../../kernel/http/http.ts'
import { checkAddresses, listAddresses } from './address-list.ts'
import {
  changeComponent,
  createComponent,
  deleteComponent,
  duplicateComponent,
  getComponent,
  getComponentUses,
  listComponents,
  previewComponent,
} from './component.ts'
import { changeEmail, createEmail, deleteEmail, duplicateEmail, getEmail, listEmails, testSendEmail } from './email.ts'
import { listContentTags } from './content-tags.ts'
import { forgetDraft, getDraft, keepDraft } from './draft.ts'
import { makePlainText, previewEmail } from './preview.ts'
import { getVersion, listVersions, restoreVersion } from './version-history.ts'

export function emailRoutes(on: Routes): void {
  on.merchant(endpoints.listEmails)(({ scope, query }) => listEmails(scope, query))
  on.merchant(endpoints.createEmail)(async ({ scope, body }) => ({ email: await createEmail(scope, body) }))
  on.merchant(endpoints.getEmail)(async ({ scope, params }) => ({
    email: await getEmail(scope, params.id),
    used_by: await scope.context.ports.programsUsingEmail(scope, params.id),
  }))
  on.merchant(endpoints.changeEmail)(async ({ scope, params, body }) => ({
    email: await changeEmail(scope, params.id, body),
  }))
  on.merchant(endpoints.deleteEmail)(async ({ scope, params }) => {
    await deleteEmail(scope, params.id)
    return undefined
  })
  on.merchant(endpoints.duplicateEmail)(async ({ scope, params, body }) => ({
    email: await duplicateEmail(scope, params.id, body.language),
  }))
  on.merchant(endpoints.testSendEmail)(async ({ scope, params, body }) => ({
    deliveries: await testSendEmail(scope, params.id, body),
  }))
  on.merchant(endpoints.previewEmail)(async ({ scope, body }) => ({ rendered: await previewEmail(scope, body) }))
  on.merchant(addresses.listEmailAddresses)(({ scope, params }) => listAddresses(scope, params.id))
  on.merchant(addresses.checkEmailAddresses)(({ scope, params, body }) => checkAddresses(scope, params.id, body))
  on.merchant(endpoints.makePlainText)(async ({ scope, body }) => ({ plain_text: await makePlainText(scope, body) }))
  on.merchant(endpoints.listContentTags)(async ({ scope }) => ({ content_tags: await listContentTags(scope) }))
}

export function emailVersionRoutes(on: Routes): void {
  on.merchant(versions.listEmailVersions)(async ({ scope, params }) => ({
    versions: await listVersions(scope, params.id),
  }))
  on.merchant(versions.getEmailVersion)(async ({ scope, params }) => ({
    version: await getVersion(scope, params.id, params.version_id),
  }))
  on.merchant(versions.restoreEmailVersion)(async ({ scope, params }) => ({
    email: await restoreVersion(scope, params.id, params.version_id),
  }))
  on.merchant(versions.getEmailDraft)(async ({ scope, params, query }) => ({
    draft: await getDraft(scope, { kind: 'email', id: params.id, language: query.language ?? null }),
  }))
  on.merchant(versions.keepEmailDraft)(async ({ scope, params, query, body }) => {
    await keepDraft(scope, { kind: 'email', id: params.id, language: query.language ?? null }, body)
    return undefined
  })
  on.merchant(versions.deleteEmailDraft)(async ({ scope, params, query }) => {
    await forgetDraft(scope, { kind: 'email', id: params.id, language: query.language ?? null }, query)
    return undefined
  })
}

export function emailComponentRoutes(on: Routes): void {
  on.merchant(components.listEmailComponents)(({ scope, query }) => listComponents(scope, query))
  on.merchant(components.createEmailComponent)(async ({ scope, body }) => ({
    email_component: await createComponent(scope, body),
  }))
  on.merchant(components.getEmailComponent)(async ({ scope, params }) => ({
    email_component: await getComponent(scope, params.id),
    used_by: await getComponentUses(scope, params.id),
  }))
  on.merchant(components.changeEmailComponent)(async ({ scope, params, body }) => ({
    email_component: await changeComponent(scope, params.id, body),
  }))
  on.merchant(components.deleteEmailComponent)(async ({ scope, params }) => {
    await deleteComponent(scope, params.id)
    return undefined
  })
  on.merchant(components.duplicateEmailComponent)(async ({ scope, params, body }) => ({
    email_component: await duplicateComponent(scope, params.id, body.language),
  }))
  on.merchant(components.getEmailComponentDraft)(async ({ scope, params }) => ({
    draft: await getDraft(scope, { kind: 'component', id: params.id }),
  }))
  on.merchant(components.keepEmailComponentDraft)(async ({ scope, params, body }) => {
    await keepDraft(scope, { kind: 'component', id: params.id }, body)
    return undefined
  })
  on.merchant(components.deleteEmailComponentDraft)(async ({ scope, params, query }) => {
    await forgetDraft(scope, { kind: 'component', id: params.id }, query)
    return undefined
  })
  on.merchant(components.previewEmailComponent)(async ({ scope, body }) => ({
    rendered: await previewComponent(scope, body),
  }))
}
