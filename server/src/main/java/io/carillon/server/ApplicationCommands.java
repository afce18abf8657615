package io.carillon.server;

import io.carillon.server.apps.ApplicationStatus;
import io.carillon.server.apps.ApplicationsText;
import io.carillon.server.apps.Deployer;
import io.carillon.server.apps.DevelopmentReport;
import io.carillon.server.control.ControlCommand;
import io.carillon.server.control.ControlFailure;
import io.carillon.servlet.app.DeploymentException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Semaphore;
import tools.jackson.core.JacksonException;

/** The commands that deploy into the running server. Any thread. */
final class ApplicationCommands {
    /** Of the control socket's threads; one must be left for who wants to stop the server. */
    private static final int MOST_AT_A_TIME = 4;

    private final Deployer deployer;
    private final Semaphore free = new Semaphore(MOST_AT_A_TIME);
    private volatile DevelopmentReport development = DevelopmentReport.NONE;

    private ApplicationCommands(Deployer deployer) {
        this.deployer = deployer;
    }

    /** By the names that the command line sends. */
    static Map<String, ControlCommand> of(Deployer deployer) {
        ApplicationCommands commands = new ApplicationCommands(deployer);
        return Map.of(
                "applications",
                nothing -> ApplicationsText.json(deployer.versions()),
                "deploy",
                file -> commands.deploy(file, deployer::deploy),
                "replace",
                file -> commands.deploy(file, deployer::replace),
                "undeploy",
                name -> commands.undeploy(name, false),
                "undeploy-now",
                name -> commands.undeploy(name, true),
                "development",
                commands::development);
    }

    private interface Deployment {
        ApplicationStatus of(Path archive) throws DeploymentException;
    }

    private String deploy(String file, Deployment how) throws ControlFailure {
        try {
            Path archive = Path.of(file);
            if (!archive.isAbsolute()) {
                throw new ControlFailure(file + ": an absolute file name is needed");
            }
            return ApplicationsText.json(oneOfFew(archive, how));
        } catch (DeploymentException e) {
            throw new ControlFailure("not deployed: " + e.getMessage(), e);
        } catch (InvalidPathException e) {
            throw new ControlFailure("no file name: " + e.getMessage(), e);
        }
    }

    private ApplicationStatus oneOfFew(Path archive, Deployment how)
            throws DeploymentException, ControlFailure {
        if (!free.tryAcquire()) {
            throw new ControlFailure(
                    ControlFailure.Kind.BUSY,
                    MOST_AT_A_TIME + " deployments are under way; try again when one is done");
        }
        try {
            return how.of(archive);
        } finally {
            free.release();
        }
    }

    /** Without an argument what carillon watch said last; with one it says that. */
    private String development(String report) throws ControlFailure {
        if (!report.isEmpty()) {
            try {
                development = DevelopmentReport.read(report);
            } catch (JacksonException e) {
                throw new ControlFailure(
                        ControlFailure.Kind.BAD,
                        "the report cannot be read: " + e.getOriginalMessage(),
                        e);
            }
        }
        return development.line();
    }

    private String undeploy(String name, boolean now) throws ControlFailure {
        if (!deployer.undeploy(name, now)) {
            throw new ControlFailure(
                    ControlFailure.Kind.NOT_FOUND, "no application is named '" + name + "'");
        }
        return "undeployed " + name + "\n";
    }
}
