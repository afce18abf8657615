package io.carillon.fuzz.file;

import io.carillon.servlet.app.DeploymentException;
import io.carillon.servlet.app.SipXml;
import java.io.ByteArrayInputStream;

/** A sip.xml is read, or refused with its file and a rule. */
public final class SipXmlTarget {
    private SipXmlTarget() {}

    /** One input. */
    public static void fuzzerTestOneInput(byte[] data) {
        try {
            SipXml.read("sip.xml", new ByteArrayInputStream(data));
        } catch (DeploymentException refused) {
            if (!String.valueOf(refused.getMessage()).startsWith("sip.xml")
                    || refused.rule().isBlank()) {
                throw new IllegalStateException("no file, no rule: " + refused.getMessage());
            }
        }
    }
}
