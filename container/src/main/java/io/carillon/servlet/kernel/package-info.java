/**
 * Sessions and messages, which the SIP Servlet API ties together: each knows the other, and nothing
 * above them. What features do comes in by {@link io.carillon.servlet.kernel.SessionHooks}.
 */
@NullMarked
package io.carillon.servlet.kernel;

import org.jspecify.annotations.NullMarked;
