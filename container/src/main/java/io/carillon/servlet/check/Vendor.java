package io.carillon.servlet.check;

import java.util.List;
import java.util.Set;
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
            "unless the bridge is there: ./carillon bridge install (docs/guides/migrating-from-mobicents.md)";

    private static final String MOBICENTS = "docs/guides/migrating-from-mobicents.md";
    private static final String WEBLOGIC = "docs/guides/migrating-from-weblogic.md";
    private static final String LIBERTY = "docs/guides/migrating-from-liberty.md";

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

    /**
     * What the bridge to Mobicents gives: the types of its two artifacts, and no other of their
     * packages.
     */
    static final Set<String> BRIDGED =
            Set.of(
                    "org.mobicents.javax.servlet.ContainerListener",
                    "org.mobicents.javax.servlet.CongestionControlEvent",
                    "org.mobicents.javax.servlet.CongestionControlPolicy",
                    "org.mobicents.javax.servlet.sip.ProxyBranchExt",
                    "org.mobicents.javax.servlet.sip.ProxyBranchListener",
                    "org.mobicents.javax.servlet.sip.ProxyExt",
                    "org.mobicents.javax.servlet.sip.ResponseType",
                    "org.mobicents.javax.servlet.sip.SipApplicationSessionAsynchronousWork",
                    "org.mobicents.javax.servlet.sip.SipApplicationSessionExt",
                    "org.mobicents.javax.servlet.sip.SipFactoryExt",
                    "org.mobicents.javax.servlet.sip.SipServletRequestExt",
                    "org.mobicents.javax.servlet.sip.SipServletResponseExt",
                    "org.mobicents.javax.servlet.sip.SipSessionAsynchronousWork",
                    "org.mobicents.javax.servlet.sip.SipSessionExt",
                    "org.mobicents.javax.servlet.sip.SipSessionsUtilExt",
                    "org.mobicents.javax.servlet.sip.dns.DNSResolver",
                    "org.mobicents.servlet.sip.SipConnector",
                    "org.mobicents.servlet.sip.annotation.ConcurrencyControl",
                    "org.mobicents.servlet.sip.annotation.ConcurrencyControlMode",
                    "org.mobicents.servlet.sip.listener.SipConnectorListener",
                    "org.mobicents.servlet.sip.notification.SessionActivationNotificationCause",
                    "org.mobicents.servlet.sip.notification.SipApplicationSessionActivationEvent",
                    "org.mobicents.servlet.sip.notification.SipSessionActivationEvent");

    /** Is it a type that the bridge gives? */
    static boolean bridged(String type) {
        int inner = type.indexOf('$');
        return BRIDGED.contains(inner < 0 ? type : type.substring(0, inner));
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
