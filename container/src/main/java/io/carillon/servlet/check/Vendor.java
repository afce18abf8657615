package io.carillon.servlet.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Packages that another server brings along, and what their users can do here.
 *
 * @param prefix of class names
 * @param name of the server
 * @param guide page of docs/ for those who come from it; null where there is none
 */
record Vendor(String prefix, String name, @Nullable String guide) {
    /** What is to be done about types that the bridge gives. */
    static final String BRIDGE =
            "unless the bridge is there: ./carillon bridge install (docs/migrating-from-mobicents.md)";

    private static final String MOBICENTS = "docs/migrating-from-mobicents.md";
    private static final String WEBLOGIC = "docs/migrating-from-weblogic.md";
    private static final String LIBERTY = "docs/migrating-from-liberty.md";

    private static final List<Vendor> ALL =
            List.of(
                    new Vendor("org.mobicents.", "Mobicents", MOBICENTS),
                    new Vendor("org.restcomm.", "RestComm", MOBICENTS),
                    new Vendor("gov.nist.", "NIST JAIN SIP", MOBICENTS),
                    new Vendor("javax.sip.", "JAIN SIP", MOBICENTS),
                    new Vendor("com.bea.", "WebLogic (OCCAS)", WEBLOGIC),
                    new Vendor("weblogic.", "WebLogic", WEBLOGIC),
                    new Vendor("oracle.sdp.", "WebLogic (OCCAS)", WEBLOGIC),
                    new Vendor("com.oracle.", "Oracle", WEBLOGIC),
                    new Vendor("com.ibm.", "WebSphere or Liberty", LIBERTY),
                    new Vendor("org.jboss.", "JBoss", null),
                    new Vendor("org.apache.catalina.", "Tomcat", null));

    /** What the bridge to Mobicents gives; its classes are the artifact's, so names suffice. */
    private static final List<String> BRIDGED =
            List.of(
                    "org.mobicents.javax.servlet.",
                    "org.mobicents.servlet.sip.annotation.",
                    "org.mobicents.servlet.sip.listener.SipConnectorListener",
                    "org.mobicents.servlet.sip.notification.",
                    "org.mobicents.servlet.sip.SipConnector");

    /** Is it a type that the bridge gives? */
    static boolean bridged(String type) {
        return BRIDGED.stream().anyMatch(type::startsWith);
    }

    /** Whose a type is that is not there, and what to do; null when it is nobody's we know. */
    static @Nullable String advice(String type) {
        for (Vendor vendor : ALL) {
            if (type.startsWith(vendor.prefix)) {
                return "is of "
                        + vendor.name
                        + ", which is not in the archive"
                        + (bridged(type)
                                ? "; the bridge has it: ./carillon bridge install ("
                                        + MOBICENTS
                                        + ")"
                                : vendor.guide == null ? "" : "; see " + vendor.guide);
            }
        }
        return null;
    }
}
