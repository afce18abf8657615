package io.carillon.lab.peers;

import java.util.List;

/**
 * What a peer is made of: artifacts of Maven Central at exact versions. None of them is a
 * dependency of Carillon in any scope; they are fetched when a user asks for them, and run as a
 * process.
 *
 * @param name folder and word on the command line
 * @param licence for the user, before anything is fetched
 * @param archive GROUP:ARTIFACT:VERSION of the zip that is unpacked
 * @param folder what it is unpacked as
 * @param libraries GROUP:ARTIFACT:VERSION of the jars that go into its lib folder
 */
record PeerPackage(
        String name, String licence, String archive, String folder, List<String> libraries) {

    private static final String RESTCOMM_VERSION = "3.2.0-37";

    static final List<PeerPackage> ALL =
            List.of(
                    new PeerPackage(
                            LibertyServer.NAME,
                            "Open Liberty 26.0.0.3: Eclipse Public License 2.0",
                            "io.openliberty:openliberty-runtime:26.0.0.3",
                            "wlp",
                            List.of()),
                    new PeerPackage(
                            RestCommServer.NAME,
                            "RestComm SIP Servlets "
                                    + RESTCOMM_VERSION
                                    + ": AGPL 3.0 by its own banner;"
                                    + " Tomcat 7.0.64: Apache License 2.0; fetched for measurements, no part of Carillon",
                            "org.apache.tomcat:tomcat:7.0.64",
                            "tomcat",
                            restcomm()));

    private static List<String> restcomm() {
        String core = "org.mobicents.servlet.sip:";
        String tomcat = "org.mobicents.servlet.sip.containers:";
        return List.of(
                core + "sip-servlets-spec:" + RESTCOMM_VERSION,
                core + "sip-servlets-impl:" + RESTCOMM_VERSION,
                core + "sip-servlets-core-api:" + RESTCOMM_VERSION,
                core + "sip-servlets-annotations:" + RESTCOMM_VERSION,
                core + "sip-servlets-client:" + RESTCOMM_VERSION,
                core + "sip-servlets-jruby:" + RESTCOMM_VERSION,
                core + "sip-servlets-application-router:" + RESTCOMM_VERSION,
                tomcat + "sip-servlets-catalina-7:" + RESTCOMM_VERSION,
                tomcat + "sip-servlets-tomcat-7:" + RESTCOMM_VERSION,
                "javax.sip:jain-sip-api:1.2.1.4",
                "javax.sip:jain-sip-ri:1.3.0-32",
                "org.mobicents.ha.javax.sip:restcomm-jain-sip-ha-core:1.5.43",
                "org.mobicents.javax.sip:restcomm-jain-sip-ext:1.3.24",
                "org.restcomm.commons:restcomm-statistics:2.0.147",
                "io.dropwizard.metrics:metrics-core:3.1.0",
                "log4j:log4j:1.2.17",
                "commons-logging:commons-logging:1.1.1",
                "commons-codec:commons-codec:1.5",
                "dnsjava:dnsjava:2.1.7",
                "javax.activation:activation:1.1.1",
                "javax.mail:mail:1.4",
                "org.slf4j:slf4j-api:1.5.5",
                "org.slf4j:slf4j-simple:1.5.5");
    }

    static PeerPackage named(String name) {
        return ALL.stream()
                .filter(peer -> peer.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "'"
                                        + name
                                        + "' cannot be installed; there are "
                                        + String.join(
                                                ", ",
                                                ALL.stream().map(PeerPackage::name).toList())));
    }

    /**
     * A project that names exactly these artifacts and none that they name: what runs is what
     * stands here, whatever their own POMs say.
     */
    String pom() {
        StringBuilder text = new StringBuilder();
        text.append("<project xmlns=\"http://maven.apache.org/POM/4.0.0\">\n");
        text.append("  <modelVersion>4.0.0</modelVersion>\n");
        text.append("  <groupId>io.carillon.peers</groupId>\n");
        text.append("  <artifactId>").append(name).append("</artifactId>\n");
        text.append("  <version>1</version>\n  <packaging>pom</packaging>\n  <dependencies>\n");
        append(text, archive, "zip");
        libraries.forEach(library -> append(text, library, "jar"));
        return text.append("  </dependencies>\n</project>\n").toString();
    }

    private static void append(StringBuilder text, String coordinates, String type) {
        String[] parts = coordinates.split(":");
        text.append("    <dependency><groupId>").append(parts[0]);
        text.append("</groupId><artifactId>").append(parts[1]);
        text.append("</artifactId><version>").append(parts[2]);
        text.append("</version><type>").append(type);
        text.append("</type><exclusions><exclusion><groupId>*</groupId>");
        text.append("<artifactId>*</artifactId></exclusion></exclusions></dependency>\n");
    }

    /** File name of the archive as Maven copies it. */
    String archiveFile() {
        String[] parts = archive.split(":");
        return parts[1] + "-" + parts[2] + ".zip";
    }
}
