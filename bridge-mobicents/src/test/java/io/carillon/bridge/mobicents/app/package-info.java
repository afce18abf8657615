/** An application as its owner had it on Mobicents: compiled against the artifacts, no more. */
@ConcurrencyControl(mode = ConcurrencyControlMode.None)
package io.carillon.bridge.mobicents.app;

import org.mobicents.servlet.sip.annotation.ConcurrencyControl;
import org.mobicents.servlet.sip.annotation.ConcurrencyControlMode;
