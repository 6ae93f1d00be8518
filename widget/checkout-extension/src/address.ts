/** Of the installation (PUBLIC_URL): replaced when the extension is deployed. */
export const ADDRESS = 'https://okaeri.example'
