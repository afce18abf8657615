package io.carillon.it.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A small application whose answers tell by which version of its source they were made.
 *
 * @param folder of the project
 * @param source the file that is edited
 */
record EditedProject(Path folder, Path source) {
    private static final String POM =
            """
            <project xmlns="http://maven.apache.org/POM/4.0.0">
              <modelVersion>4.0.0</modelVersion>
              <groupId>com.example</groupId>
              <artifactId>edited</artifactId>
              <version>1</version>
              <packaging>war</packaging>
              <properties>
                <maven.compiler.release>25</maven.compiler.release>
                <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
              </properties>
              <dependencies>
                <dependency>
                  <groupId>org.mobicents.servlet.sip</groupId>
                  <artifactId>sip-servlets-spec</artifactId>
                  <version>4.0.128</version>
                  <scope>provided</scope>
                </dependency>
                <dependency>
                  <groupId>org.eclipse.jetty.toolchain</groupId>
                  <artifactId>jetty-servlet-api</artifactId>
                  <version>4.0.9</version>
                  <scope>provided</scope>
                </dependency>
              </dependencies>
              <build><finalName>edited</finalName></build>
            </project>
            """;

    /** Only sources, in the default package's folder. */
    static EditedProject ofSources(Path parent) throws IOException {
        Path folder = Files.createDirectories(parent.resolve("edited"));
        return new EditedProject(folder, folder.resolve("Edited.java"));
    }

    /** A Maven project. */
    static EditedProject ofMaven(Path parent) throws IOException {
        Path folder = Files.createDirectories(parent.resolve("edited"));
        Files.writeString(folder.resolve("pom.xml"), POM);
        Path sources = Files.createDirectories(folder.resolve("src/main/java/edited"));
        return new EditedProject(folder, sources.resolve("Edited.java"));
    }

    /** Saves the source as one version. */
    void save(int version) throws IOException {
        Files.writeString(source, text(version));
    }

    /** Saves a source with an error; the number of its line. */
    int saveBroken() throws IOException {
        String broken = text(0).replace("doBye(", "doBye(int ");
        Files.writeString(source, broken);
        return (int) broken.substring(0, broken.indexOf("doBye(")).lines().count();
    }

    private String text(int version) {
        return """
        package edited;

        import java.io.IOException;
        import javax.servlet.sip.SipServlet;
        import javax.servlet.sip.SipServletRequest;
        import javax.servlet.sip.SipServletResponse;

        @javax.servlet.sip.annotation.SipServlet(name = "edited", applicationName = "edited")
        public class Edited extends SipServlet {
            private static final int VERSION = %d;

            @Override
            protected void doInvite(SipServletRequest request) throws IOException {
                answer(request);
            }

            @Override
            protected void doInfo(SipServletRequest request) throws IOException {
                answer(request);
            }

            @Override
            protected void doBye(SipServletRequest request) throws IOException {
                answer(request);
                request.getApplicationSession().invalidate();
            }

            private void answer(SipServletRequest request) throws IOException {
                SipServletResponse response = request.createResponse(200);
                response.setHeader("X-Version", Integer.toString(VERSION));
                response.send();
            }
        }
        """
                .formatted(version);
    }
}
