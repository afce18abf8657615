/** The proxy of the SIP Servlet API over the core's response context. */
@NullMarked
package io.carillon.servlet.feature.proxy;

import org.jspecify.annotations.NullMarked;
