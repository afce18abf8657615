package io.carillon.it.attack;

import io.carillon.lab.rig.PackedClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The application that is attacked beside {@code uas}, as a user would pack it, and the router that
 * gives each application that is attacked the calls to its user. Stateless.
 */
final class Prey {
    /** Its name, the path of its pages, and the user whose calls it gets. */
    static final String NAME = "prey";

    /** Its sessions end so long after the last message or page. */
    static final int SESSION_SECONDS = 60;

    private static final String DESCRIPTOR =
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <sip-app xmlns="http://www.jcp.org/xml/ns/sipservlet" version="1.1">
              <app-name>prey</app-name>
              <servlet-selection><main-servlet>prey</main-servlet></servlet-selection>
              <servlet>
                <servlet-name>prey</servlet-name>
                <servlet-class>io.carillon.it.attack.PreyServlet</servlet-class>
              </servlet>
              <session-config><session-timeout>1</session-timeout></session-config>
            </sip-app>
            """;

    /** What leaves the prey is for its user {@code callee}, whom nobody here is. */
    private static final String ROUTER =
            "ALL: (\"sleeping\", \"DAR:To\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"0\","
                    + " \"USER=asleep DIRECTION=INBOUND\"), \\\n"
                    + "     (\"prey\", \"DAR:From\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"1\","
                    + " \"USER=prey DIRECTION=INBOUND\"), \\\n"
                    + "     (\"uas\", \"DAR:To\", \"TERMINATING\", \"\", \"NO_ROUTE\", \"2\","
                    + " \"REGEX=^[A-Z]+ sips?:(?!prey@|asleep@|callee@) DIRECTION=INBOUND\")\n";

    private Prey() {}

    /** Writes the archive into the folder. */
    static Path archive(Path folder) throws IOException {
        return PackedClasses.war(
                folder.resolve(NAME + ".war"),
                DESCRIPTOR,
                List.of(PreyServlet.class, PreyPage.class));
    }

    /** Writes the router's file into the folder. */
    static Path router(Path folder) throws IOException {
        Path file = folder.resolve("router.properties");
        Files.writeString(file, ROUTER);
        return file;
    }
}
