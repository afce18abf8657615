/**
 * Who may call an application: constraints of its descriptor, the gate before its servlets, users
 * and roles; and the credentials with which it answers challenges itself (JSR 289, security).
 */
@NullMarked
package io.carillon.servlet.feature.security;

import org.jspecify.annotations.NullMarked;
