package io.carillon.lab.process;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * What the JVM of another process of this user says of its memory, by the attach interface: nothing
 * has to be switched on in it. Owner: one thread.
 */
public final class RunningJvm implements AutoCloseable {
    private final JMXConnector connector;
    private final MBeanServerConnection beans;
    private final ThreadMXBean threads;

    private RunningJvm(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.beans = connector.getMBeanServerConnection();
        this.threads =
                ManagementFactory.newPlatformMXBeanProxy(
                        beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
    }

    /** Connects to a process that this one has started. */
    @SuppressWarnings("BanJNDI") // the address is what that process has just told, and not a name
    public static RunningJvm attach(long pid) throws IOException {
        String address;
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                address = machine.startLocalManagementAgent();
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("the JVM of process " + pid + " cannot be asked", e);
        }
        return new RunningJvm(JMXConnectorFactory.connect(new JMXServiceURL(address)));
    }

    /** Bytes that all its Java threads have allocated, those that have ended included. */
    public long allocatedBytes() {
        return threads.getTotalThreadAllocatedBytes();
    }

    /** Bytes of all objects that live, after a full collection. */
    public long liveBytes() throws IOException {
        String histogram = command("gcClassHistogram");
        long bytes = 0;
        for (String line : histogram.split("\n")) {
            String[] fields = line.trim().split("\\s+");
            // A collector that leaves gaps fills them with objects of its own.
            if (fields.length >= 4 && fields[0].endsWith(":") && !fields[3].contains(".Filler")) {
                bytes += Long.parseLong(fields[2]);
            }
        }
        if (bytes == 0) {
            throw new IOException("no class histogram: " + histogram.strip());
        }
        return bytes;
    }

    private String command(String operation) throws IOException {
        try {
            Object said =
                    beans.invoke(
                            new ObjectName("com.sun.management:type=DiagnosticCommand"),
                            operation,
                            new Object[] {new String[0]},
                            new String[] {String[].class.getName()});
            return String.valueOf(said);
        } catch (JMException e) {
            throw new IOException("the JVM did not run " + operation, e);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
