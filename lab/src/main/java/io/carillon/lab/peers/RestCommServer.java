package io.carillon.lab.peers;

import io.carillon.lab.rig.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** RestComm SIP Servlets on Tomcat 7, fetched by {@code bench peers install restcomm}. */
record RestCommServer() implements Contender {
    static final String NAME = "restcomm";
    private static final String ROUTER =
            "org.mobicents.servlet.sip.router.DefaultApplicationRouterProvider";
    private static final List<String> OPENED =
            List.of(
                    "java.lang",
                    "java.lang.reflect",
                    "java.util",
                    "java.util.concurrent",
                    "java.io",
                    "java.net");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String description() {
        return "RestComm SIP Servlets 3.2.0-37, jain-sip-ri 1.3.0-32, Tomcat 7.0.64, JDK 17, the same"
                + " WAR; it sends 100 Trying only after 200 ms without another answer";
    }

    @Override
    public ServerProcess.Launch launch(Site site, Path folder) throws IOException {
        Path home = site.installed(NAME).resolve("tomcat");
        if (!Files.isRegularFile(home.resolve("bin/bootstrap.jar"))) {
            throw new IOException(
                    "RestComm is not installed: ./carillon bench peers install restcomm");
        }
        int port = site.ports().restcomm();
        Path base = folder.resolve(NAME);
        configure(site, base, port);
        List<String> command = site.pinned();
        command.add(site.peerJvm().command().toString());
        for (String opened : OPENED) {
            command.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        command.add("-Djavax.servlet.sip.ar.spi.SipApplicationRouterProvider=" + ROUTER);
        command.add("-Dcatalina.home=" + home);
        command.add("-Dcatalina.base=" + base);
        command.add("-Djava.io.tmpdir=" + base.resolve("temp"));
        command.add("-Djava.net.preferIPv4Stack=true");
        command.addAll(site.peerJvm().options());
        String classPath =
                home.resolve("bin/bootstrap.jar") + ":" + home.resolve("bin/tomcat-juli.jar");
        command.addAll(List.of("-cp", classPath, "org.apache.catalina.startup.Bootstrap", "start"));
        return new ServerProcess.Launch(
                NAME,
                port,
                command,
                Map.of(),
                List.of("Server startup in"),
                List.of("startup failed due to previous errors"));
    }

    private static void configure(Site site, Path base, int port) throws IOException {
        Path conf = base.resolve("conf");
        Map<String, String> values =
                Map.of(
                        "PORT", Integer.toString(port),
                        "NAME", site.application().name());
        PeerFiles.write("restcomm-server.xml", conf.resolve("server.xml"), values);
        PeerFiles.write("restcomm-context.xml", conf.resolve("context.xml"), values);
        PeerFiles.write("restcomm-routes.properties", conf.resolve("routes.properties"), values);
        PeerFiles.write("restcomm-stack.properties", conf.resolve("stack.properties"), values);
        PeerFiles.write("restcomm-log4j.properties", base.resolve("lib/log4j.properties"), values);
        Files.createDirectories(base.resolve("temp"));
        Path applications = Files.createDirectories(base.resolve("webapps"));
        Files.copy(
                site.archive(),
                applications.resolve(site.application().name() + ".war"),
                StandardCopyOption.REPLACE_EXISTING);
    }
}
