/**
 * The extension interfaces of Mobicents and RestComm SIP Servlets on Carillon's objects: what an
 * application casts to works, where it has a meaning here.
 */
@NullMarked
package io.carillon.bridge.mobicents;

import org.jspecify.annotations.NullMarked;
