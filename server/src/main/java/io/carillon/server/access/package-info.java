/**
 * Who may administer: accounts, roles, tokens, sessions of browsers, and how often one may guess.
 */
@NullMarked
package io.carillon.server.access;

import org.jspecify.annotations.NullMarked;
