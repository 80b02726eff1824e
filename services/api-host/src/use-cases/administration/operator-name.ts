/** What audit records call whoever operates the deployment. */
export const OPERATOR = 'operator';
