/** Which test proves which member of the SIP Servlet API, and whether it really does. */
@NullMarked
package io.carillon.servlet.members;

import org.jspecify.annotations.NullMarked;
