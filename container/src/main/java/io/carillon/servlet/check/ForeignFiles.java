package io.carillon.servlet.check;

import io.carillon.servlet.check.Finding.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files in an archive that only another server reads. Stateless. */
final class ForeignFiles {
    /**
     * Such a file.
     *
     * @param path in the archive
     * @param rule what it said there, and where that goes here
     */
    private record Foreign(String path, String rule) {}

    private static final String PREFIX = "is not read here: ";
    private static final String MOBICENTS = "; see docs/guides/migrating-from-mobicents.md";
    private static final String WEBLOGIC = "; see docs/guides/migrating-from-weblogic.md";
    private static final String LIBERTY = "; see docs/guides/migrating-from-liberty.md";
    private static final String PATH = "the context root is applications.NAME.http-path";
    private static final String BINDINGS =
            "names of resources are those of java:comp/env in web.xml and sip.xml";

    private static final List<Foreign> ALL =
            List.of(
                    new Foreign(
                            "WEB-INF/jboss-web.xml",
                            "security-constraint and login-config of sip.xml are enough, and "
                                    + PATH
                                    + MOBICENTS),
                    new Foreign(
                            "WEB-INF/jboss-deployment-structure.xml",
                            "modules of the server that it names have to be in WEB-INF/lib"
                                    + MOBICENTS),
                    new Foreign("META-INF/context.xml", BINDINGS + MOBICENTS),
                    new Foreign(
                            "WEB-INF/weblogic.xml",
                            PATH
                                    + "; roles are given by carillon users roles NAME ROLE"
                                    + WEBLOGIC),
                    new Foreign("META-INF/weblogic-application.xml", PATH + WEBLOGIC),
                    new Foreign("WEB-INF/ibm-web-bnd.xml", BINDINGS + LIBERTY),
                    new Foreign("WEB-INF/ibm-web-bnd.xmi", BINDINGS + LIBERTY),
                    new Foreign("WEB-INF/ibm-web-ext.xml", PATH + LIBERTY),
                    new Foreign("WEB-INF/ibm-web-ext.xmi", PATH + LIBERTY),
                    new Foreign("WEB-INF/sun-web.xml", PATH),
                    new Foreign("WEB-INF/sun-sip.xml", PATH),
                    new Foreign("WEB-INF/glassfish-web.xml", PATH),
                    new Foreign("WEB-INF/geronimo-web.xml", PATH),
                    new Foreign(
                            "WEB-INF/ejb-jar.xml", "no EJB is there: make its classes plain ones"));

    private ForeignFiles() {}

    /**
     * Those that are there.
     *
     * @param label what messages call the archive
     * @param root the folder that holds WEB-INF
     */
    static List<Finding> in(String label, Path root) {
        List<Finding> found = new ArrayList<>();
        for (Foreign one : ALL) {
            if (Files.exists(root.resolve(one.path))) {
                found.add(
                        new Finding(
                                Level.WARNING,
                                label + "!/" + one.path,
                                0,
                                null,
                                PREFIX + one.rule));
            }
        }
        return found;
    }
}
