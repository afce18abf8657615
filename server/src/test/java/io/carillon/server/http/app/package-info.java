/**
 * A converged application, packed into an archive by {@link
 * io.carillon.server.http.ConvergedHttpTest}.
 */
package io.carillon.server.http.app;
